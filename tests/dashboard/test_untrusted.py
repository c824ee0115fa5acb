"""No page gives a text of the store to a place where Streamlit or Plotly reads markup, unless ``plain`` escaped it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dashboard

HOME = Path(dashboard.__file__).parent

ESCAPING = {"plain", "plain_svg", "look.chip", "paper.style"}
"""Functions whose result is safe; the last two are made of our own words, and a number."""

MARKDOWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("markdown", "write", "caption", "title", "header", "subheader", "latex", "badge"), ("body",)),
    **dict.fromkeys(("info", "warning", "error", "success", "toast", "html"), ("body", "title")),
    **dict.fromkeys(("progress", "spinner"), ("value", "text")),
    **dict.fromkeys(("button", "download_button", "link_button", "form_submit_button", "popover"), ("label",)),
    **dict.fromkeys(("checkbox", "toggle", "text_input", "text_area", "number_input", "date_input"), ("label",)),
    **dict.fromkeys(("time_input", "datetime_input", "slider", "file_uploader", "camera_input"), ("label",)),
    **dict.fromkeys(("audio_input", "color_picker", "expander", "status", "selectbox", "multiselect"), ("label",)),
    **dict.fromkeys(("radio", "pills", "segmented_control", "select_slider"), ("label", "options", "format_func")),
    "metric": ("label", "value", "delta"),
    "dialog": ("title",),
    "page_link": ("page", "label"),
    "tabs": ("tabs",),
    "table": ("data",),
    "Page": ("page", "title"),
    "image": ("image", "caption"),
}
"""Streamlit calls that read Markdown or HTML, with their first parameters in order."""

HARMLESS = {("progress", "value"), ("page_link", "page"), ("Page", "page"), ("image", "image")}
"""Parameters in that list that are no text."""

ALWAYS = ("help", "placeholder", "icon")
PLOTLY = ("text", "name", "ticktext", "hovertemplate", "texttemplate", "title")


class Reader:
    """Finds texts of one file that may reach markup without having been escaped."""

    def __init__(self, source: str) -> None:
        """Parse a file."""
        self.tree = ast.parse(source)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def findings(self) -> Iterator[str]:
        """Each place as ``line: code``."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                for value in self._read_as_markup(node):
                    if not self.safe(value, node):
                        yield f"{value.lineno}: {ast.unparse(value)}"

    def _read_as_markup(self, call: ast.Call) -> Iterator[ast.expr]:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        root = ast.unparse(call.func).split(".")[0].split("(")[0]
        if name in MARKDOWN and self._from_streamlit(root, call):
            params = MARKDOWN[name]
            named = dict(zip(params, call.args, strict=False)) | {word.arg or "": word.value for word in call.keywords}
            shown_instead = "options" if "format_func" in named else ""
            wanted = [param for param in (*params, *ALWAYS) if (name, param) not in HARMLESS and param != shown_instead]
            yield from (named[param] for param in wanted if param in named)
        if root in {"go", "px"} or name in {"add_annotation", "update_layout", "add_trace"}:
            for inner in ast.walk(call):
                yield from (w.value for w in getattr(inner, "keywords", ()) if w.arg in PLOTLY)
                if isinstance(inner, ast.Dict):
                    keys = zip(inner.keys, inner.values, strict=True)
                    yield from (v for k, v in keys if isinstance(k, ast.Constant) and k.value in PLOTLY)

    def _from_streamlit(self, root: str, call: ast.Call) -> bool:
        """Whether a name is ``st``, or bound to something that ``st`` made."""
        if root == "st":
            return True
        return any("st." in ast.unparse(value) for value in self._bound(root, call))

    def safe(self, value: ast.expr, at: ast.AST, depth: int = 0) -> bool:
        """Whether an expression can only be a literal, a number in a format, or escaped text."""
        if isinstance(value, ast.Constant):
            return True
        if isinstance(value, ast.Call):
            joined = isinstance(value.func, ast.Attribute) and isinstance(value.func.value, ast.Constant)
            if joined and ast.unparse(value.func).endswith(".join"):
                return all(self.safe(part, at, depth) for part in value.args)
            return ast.unparse(value.func) in ESCAPING
        if isinstance(value, ast.JoinedStr):
            return all(self.safe(part, at, depth) for part in value.values)
        if isinstance(value, ast.FormattedValue):
            number = value.format_spec is not None and ast.unparse(value.format_spec).strip("f'\"")[-1:] in set(",dfg%")
            return number or self.safe(value.value, at, depth)
        if isinstance(value, ast.IfExp):
            return self.safe(value.body, at, depth) and self.safe(value.orelse, at, depth)
        if isinstance(value, ast.Lambda):
            return self.safe(value.body, value, depth)
        if isinstance(value, ast.ListComp | ast.GeneratorExp):
            return self.safe(value.elt, value, depth)
        if isinstance(value, ast.Name) and depth < 4:
            found = self._bound(value.id, at)
            return bool(found) and all(self.safe(one, at, depth + 1) for one in found)
        return False

    def _bound(self, name: str, at: ast.AST) -> list[ast.expr]:
        """Every value that a name is given in the function around a place, or in the module."""
        scope: ast.AST | None = at
        while scope is not None:
            if isinstance(scope, ast.FunctionDef | ast.Module):
                found = [v for node in ast.walk(scope) for v in self._values(node, name)]
                if found:
                    return found
            scope = self.parents.get(scope)
        return []

    @staticmethod
    def _values(node: ast.AST, name: str) -> Iterator[ast.expr]:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(t, ast.Name) and t.id == name for target in targets for t in ast.walk(target)):
                # an empty list is filled elsewhere: what is appended is looked at on its own
                yield from () if ast.unparse(node.value) == "[]" else (node.value,)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node.value
        elif isinstance(node, ast.withitem) and node.optional_vars and ast.unparse(node.optional_vars) == name:
            yield node.context_expr
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == f"{name}.append":
            yield from node.args


@pytest.mark.parametrize("path", sorted(HOME.rglob("*.py")), ids=lambda path: str(path.relative_to(HOME)))
def test_every_text_is_escaped(path: Path) -> None:
    """Literals and escaped texts only."""
    assert list(Reader(path.read_text(encoding="utf-8")).findings()) == []


@pytest.mark.parametrize(
    "code",
    [
        "st.markdown(row.claim)",
        "st.caption(f'store {summary.path}')",
        "st.button('x', help=note)",
        "st.metric('n', value)",
        "left, right = st.columns(2)\nleft.warning(error.what)",
        "with st.sidebar as bar:\n    bar.title(name)",
        "st.pills('x', options, format_func=lambda o: names[o])",
        "st.pills('x', texts)",
        "words = detail.row.claim\nst.info(words)",
        "st.info('a' if ok else text)",
        "figure.add_annotation(text=name)",
        "go.Scatter(x=[1], hovertemplate=text)",
        "figure.update_layout(xaxis={'ticktext': labels})",
        "st.html(text)",
        "st.caption(' · '.join(names))",
        "bar = st.progress(0.0)\nbar.progress(0.5, note)",
    ],
)
def test_the_reader_sees(code: str) -> None:
    """Each of these would let a text of the store be read as markup."""
    assert list(Reader(code).findings())


@pytest.mark.parametrize(
    "code",
    [
        "st.text(row.claim)",
        "st.dataframe(table)",
        "st.caption(plain(f'store {summary.path}'))",
        "st.button(plain(name), help='Take this off')",
        "st.info('a' if ok else plain(text))",
        "st.info(f'{count:,} claims')",
        "words = 'Judging…'\nst.progress(0.0, words)",
        "st.pills('x', [1, 2], format_func=lambda o: plain(names[o]))",
        "go.Scatter(x=[1], text=[plain_svg(one) for one in names])",
        "str(name).title()",
        "st.caption(' · '.join(plain(name) for name in names))",
    ],
)
def test_the_reader_lets_pass(code: str) -> None:
    """None of these is read as markup, or all of it was escaped."""
    assert not list(Reader(code).findings())
