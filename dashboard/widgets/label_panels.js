// The panels beside and over the claim: facts, reasons, keys, the guideline, and what is said when nothing is left.

const factsOf = (item) => {
  const parts = [`claim ${item.position} of ${item.claims_in_answer}`];
  if (item.flags.length) parts.push(item.flags.join(", "));
  const nodes = [document.createTextNode(`${parts.join(" · ")} · `)];
  if (!item.cites.length) nodes.push("cites nothing");
  item.cites.forEach((cite, index) => {
    nodes.push(index ? ", " : "cites ", cite === item.cite ? el("b", "", cite) : cite);
  });
  if (!item.quotes.length) nodes.push(" · quote: not given");
  return nodes;
};

const reasonsPanel = (title, reasons, choose) => [
  el("div", "meta", title),
  ...reasons.map((reason, index) => button("", (event) => choose(index, event), kbd(String(index + 1)), reason)),
];

const sheetPanel = (data, close) => {
  const row = (key, name, meaning) => [el("dt", "", kbd(key)), el("dd", "", name), el("dd", "", meaning)];
  const finer = data.sub_reasons.flatMap((one) => {
    const names = data.labels.filter((label) => one.labels.includes(label.value)).map((label) => label.name);
    return row(one.key, one.name, names.join(", "));
  });
  return el(
    "div",
    "panel",
    el("h2", "", "Keys"),
    el(
      "div",
      "two",
      el("dl", "", ...data.labels.flatMap((label) => row(label.key, chip(label), label.meaning))),
      el("dl", "", ...data.keys.flatMap((one) => row(one.key, one.name, one.meaning))),
    ),
    el("h2", "", "Finer reasons: before the label, or with Shift after it for the last one"),
    el("div", "two", el("dl", "", ...finer.slice(0, 15)), el("dl", "", ...finer.slice(15))),
    el("div", "meta", `Guideline ${data.guideline}. Label what the shown passage says, nothing else.`),
    button("push", close, "Close"),
  );
};

const guideCard = (data, entry, label, open) => {
  if (!entry) return [el("div", "meta", `The text of guideline ${data.guideline} is not in this store.`)];
  return [
    el("div", "row", chip(label), el("span", "meta", `guideline ${data.guideline} `, kbd("g"), open ? " less" : " examples")),
    el("div", "", entry.definition),
    ...(open ? entry.examples.map((one) => el("div", "example", one)) : []),
    el("div", "meta", `Near neighbour: ${entry.neighbour}`),
  ];
};

const many = (count, word) => `${count.toLocaleString("en-GB")} ${word}${count === 1 ? "" : "s"}`;

// What is not given to this person at all; empty when there is nothing.
const withheldSays = ({ withheld }) => {
  if (!withheld) return "";
  const cites = withheld === 1 ? "claim of this queue cites" : "claims of this queue cite";
  return `${withheld.toLocaleString("en-GB")} ${cites} sources that you may not read; ${withheld === 1 ? "it is" : "they are"} left to others.`;
};

const WHY = {
  done: ({ state }) => [
    "Nothing is left for you here",
    `You have labelled all ${many(state.spans, "span")} that this queue holds for you. Thank you.`,
  ],
  leased: ({ state }) => [
    "Others have the rest at the moment",
    `What is not labelled yet was given to other people${state.free_at ? ` until ${clock(state.free_at).slice(0, 5)}` : ""}; ` +
      "what they leave comes to you, and this page asks again by itself.",
  ],
  withheld: ({ state }) => [
    "What is left here is not for your groups",
    state.spans
      ? `You have labelled all ${many(state.spans, "span")} that you may read here. Thank you.`
      : "Whoever keeps this desk can put you into the access groups that it takes.",
  ],
  not_yours: () => ["This queue is for others", "You are not among its labellers; choose another queue at the left."],
  closed: () => ["This queue is closed", "What was labelled in it is kept; choose another queue at the left."],
  nothing_drawn: () => ["Nothing has been drawn yet", "No claim is in this queue; whoever made it can draw some."],
};

// Why there is no claim to show, how often each label was given, and the last ones, each of which can be changed.
const donePanel = (data, change) => {
  const [title, sentence] = WHY[data.state.empty](data);
  const label = (value) => data.labels.find((one) => one.value === value);
  const given = data.labels.filter((one) => data.counts[one.value]);
  const rows = (data.recent ?? []).map((one) => {
    const what = one.kind === "not_a_claim" ? "not_a_claim" : one.label;
    const mark = what ? chip(label(what)) : el("span", "meta", one.kind === "flag" ? "flagged" : "skipped");
    return el("div", "row", el("span", "", mark), el("span", "", one.claim), button("push", () => change(one), "Change"));
  });
  const all = `${data.state.complete} of ${many(data.state.claims, "claim")} in “${data.queue.name}” complete, counting everybody.`;
  return [
    el("h2", "", title),
    el("p", "", sentence),
    ...(data.state.withheld ? [el("p", "", withheldSays(data.state))] : []),
    el("p", "meta", all),
    el("div", "counts", ...given.map((one) => el("span", "", chip(one), ` ${data.counts[one.value]}`))),
    ...(rows.length ? [el("h2", "", `Review your last ${rows.length}`)] : []),
    ...rows,
  ];
};
