"""Quality: do labellers agree, and does anything about how they label need a look? For reviewers only."""

from __future__ import annotations

import streamlit as st

from core import anchoring, label_quality
from core.label_quality import Quality
from core.people import Role
from core.store import Store
from dashboard.session import desk, person
from dashboard.widgets import address, showable
from dashboard.widgets import quality_tables as tables

NAVIGATION = {"section": "Label", "place": 50, "role": "reviewer"}

me = person(Role.REVIEWER)
store = desk().store
zone = address.time_zone(st.context.timezone)
EVERYWHERE = "Everywhere"


@st.cache_data(max_entries=8, show_spinner="Reading the labels…")
def quality_of(
    _store: Store, path: str, revision: int, time_zone: str, queue_id: str | None, groups: tuple[str, ...] | None
) -> Quality:
    """How labelling goes, read anew after every write."""
    return label_quality.quality(_store, time_zone, queue_id, groups)


@st.cache_data(max_entries=2, show_spinner="Reading the labels…")
def minds_of(_store: Store, path: str, revision: int) -> list[str]:
    """What verdicts did to the labels of those who were shown them, a sentence a judge."""
    return [one.sentence for one in anchoring.every(_store)]


st.title("Quality of the labels")
names = {queue.queue_id: showable(queue.name) for queue in store.queues.list()}
chosen = st.selectbox("Queue", [None, *names], format_func=lambda one: names.get(one or "", EVERYWHERE), width=420)
found = quality_of(store, str(store.path), store.revision(), zone, chosen, me.groups)
if tables.is_empty(found):
    st.text(tables.NO_LABELS)
    st.text("Agreement, pace and check items will stand here.")
    if st.button("Go and label", type="primary"):
        st.switch_page("views/label.py")
    st.stop()

st.header("Agreement so far")
if not found.agreement:
    st.text(tables.NO_AGREEMENT)
for one in found.agreement:
    st.text(tables.agreement_sentence(one))
    st.dataframe(tables.agreement_table(one), hide_index=True, alt="Figures of agreement")
if found.agreement:
    st.caption("Over labels given before a judge was seen; skips, flags and adjudicators are in none of it.")

st.header("Labellers")
for sentence in tables.labeller_sentences(found.labellers):
    st.text(sentence)
figures = tables.labeller_table(found.labellers)
st.dataframe(figures, hide_index=True, placeholder="–", alt="One line a labeller")
st.caption("Active time stops after a minute without a key or a movement. These figures are hints to look, no verdict.")

st.header("Changed minds")
for sentence in minds_of(store, str(store.path), store.revision()) or [anchoring.NOBODY]:
    st.text(sentence)
st.caption("Over all queues: labels given blind on passages whose verdict their labeller was shown afterwards.")

st.header("Check items")
st.text(tables.check_sentence(found.checks))
if found.checks:
    st.dataframe(tables.check_table(found.checks), hide_index=True, alt="Check items, one line a labeller")

st.header("Day by day")
if not found.shares:
    st.text(tables.NO_LABELS)
else:
    st.text(tables.drift_sentence(found.shares, zone))
    table = tables.drift_table(found.shares)
    columns = {name: st.column_config.NumberColumn(format="%d %%") for name in table.columns[3:]}
    st.dataframe(table, hide_index=True, column_config=columns, alt="Share of each label by day and labeller")

st.header("Skipped and flagged")
if not found.told:
    st.text(tables.NO_REASONS)
else:
    st.text("Why labellers passed a claim over, or wanted a reviewer to look at it; the commonest first.")
    st.dataframe(tables.told_table(found.told), hide_index=True, alt="Reasons, the commonest first")
