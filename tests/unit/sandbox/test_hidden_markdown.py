"""What Markdown hides from the readers of the rendered page does not reach a model; what it shows stays, line by line."""

from __future__ import annotations

import pytest
from formats import markdown
from html_page.tags import UNSEEN
from hypothesis import given
from hypothesis import strategies as st

from curator.models.sandbox.source_texts import may_hide

HIDDEN = [
    "shown <!-- SECRET --> shown",
    "shown\n\n<!-- a\nSECRET\n-->\n",
    "> shown\n> <!-- SECRET\n> -->\n",
    "- shown <!--SECRET-->",
    "[//]: # (SECRET)\nshown",
    '[//]: # "SECRET"\nshown',
    "[comment]: <> (SECRET)\nshown",
    "[a]: #\n  'SECRET'\nshown",
    '[x]: http://e.org "SECRET"\nshown',
    "[//]: # (a\nSECRET\nb)\nshown",
    'shown <span style="display:none">SECRET</span>',
    "shown <span style='opacity:0'>SECRET</span>",
    "shown <p hidden>SECRET</p>",
    "shown <div hidden>\n\nSECRET\n\n",
    "shown <template>SECRET</template>",
    "shown <script>SECRET</script>",
    "shown <font color=white>SECRET</font>",
    "shown <div style='color:#fff'>\n\n**SECRET**\n\n</div>",
    "shown <style>.q{display:none}</style><i class=q>SECRET</i>",
    "shown <noscript>SECRET</noscript>",
    "shown <textarea>SECRET</textarea>",
    "shown <dialog>SECRET</dialog>",
    "shown\n\n<!-- SECRET",
    "shown\n\n<?note SECRET ?>",
    "shown\n\n<![CDATA[ SECRET ]]>",
    "shown\n\n<!NOTE SECRET >",
    'shown <span style="dis&#112;lay:none">SECRET</span>',
    "shown [](<SECRET>)",
    '[shown](http://e.org "SECRET")',
    "[shown](<SECRET words>)",
    '[shown][a]\n\n[a]: http://e.org "SECRET"\n',
    "shown\n\n[SECRET]: #\n",
    "shown\n\n[a]: <SECRET words>\n",
    "shown ![SECRET](a.png)",
    "shown ![SECRET][a]",
    "shown\n\n[^9]: SECRET\n",
    "shown\n\n[^9]: a\n    SECRET\n",
    "---\ntitle: a\ndescription: SECRET\n---\nshown\n",
    "+++\nmood = 'SECRET'\n+++\nshown\n",
    "shown, much more than that is shown\n\n<details><summary>a</summary>SECRET</details>",
    "```python SECRET\nshown\n```",
    "shown\n{: title='SECRET' }",
    "# shown {#a title='SECRET'}",
    "*[HTML]: SECRET\n\nshown",
    "|a|\n|-|\n|shown|SECRET|\n",
    "a | b\n--|--\nshown | c | SECRET",
    "<p title='SECRET'>shown</p>",
    "<x SECRET words>shown</x>",
    "<img alt='SECRET'> shown",
    "shown %%SECRET%%",
    "shown\n%%\nSECRET\n%%\n",
    "shown {/* SECRET */}",
    "shown {% comment %}SECRET{% endcomment %}",
    "shown $\\phantom{SECRET}$",
    "shown $\\color{white}{SECRET}$",
    "shown $\\phantom{\\text{SECRET}}$",
    "shown [SECRET]{style='display:none'}",
    "shown\n\nSECRET\n{: style='display: none'}\n",
    "$$\nshown % SECRET\n$$\n",
    "shown {>>SECRET<<} shown {--SECRET--}",
    "```mermaid\nshown\n%% SECRET\n```\n",
    "shown\n\n::: {.hidden}\nSECRET\n:::\n",
    "shown\n\n<details><summary>a</summary>SECRET, and more than all else</details>",
    "shown\n\n---\nmood: SECRET\n---\n",
    "shown\n\n% SECRET\n",
    "shown {{!-- SECRET --}} shown {{! SECRET }}",
    "shown <%# SECRET %> shown {# SECRET #}",
    "shown {{< comment >}}SECRET{{< /comment >}}",
    "shown {%- comment -%}SECRET{%- endcomment -%}",
    "shown\n\n\\begin{comment}\nSECRET\n\\end{comment}\n",
    "shown\n\n```{r, include=FALSE}\nSECRET\n```\n",
    "shown [[one two three four five six SECRET|shown]]",
    "shown $x \\hspace{999em} SECRET$",
    'shown\n\n> [x]: http://e.org "SECRET"\n',
    "shown\n\n<style>h3{display:none}</style>\n\n### SECRET\n",
    "shown\n{ .a title='SECRET' }\n",
    '<p v-if="false">SECRET</p> shown',
    "shown\n\n```{comment}\nSECRET\n```\n",
    "shown" + "&nbsp; " * 200 + "SECRET",
    "shown <svg><text y='15' fill='#fff'>SECRET</text></svg>",
]
SHOWN = [
    "shown\n{: style='color:red'}\n",
    "$$\nx = 5 \\% shown\n$$\n",
    "```python\n%% shown\n```\n",
    "```\n<!-- shown -->\n```\n",
    "~~~html\n<p hidden>shown</p>\n~~~\n",
    "text\n\n    <!-- shown -->\n",
    "`<!-- shown -->`",
    "a `<script>` b shown",
    "use <template> tags shown",
    "[x][a] shown\n\n[a]: http://e.org/shown\n",
    'a[^1]\n\n[^1]: Smith "shown"\n',
    "[`shown`][]\n\n[`shown`]: http://e.org",
    "[it is\nshown][]\n\n[it is shown]: http://e.org",
    "| a | b |\n|---|---|\n| [[c|shown]] | `x|y` shown |\n",
    "---\ntitle: shown\n---\n",
    "<MIT or [shown](http://e.org)>",
    "```python\nshown\n```",
    "a `![shown](b)` c",
    "<details><summary>x</summary>\n\nshown\n</details>" * 3,
    "much more than that\n\n" * 99
    + "<details><summary>x</summary>\n\nshown\n"
    + "a section of a guide\n" * 30
    + "</details>",
    "[[a page|shown]] and {{ shown }} and {r} shown",
    "<style>h3{color:red}</style>\n\n### shown",
    "% a title\n% shown\n\ntext",
    "50\n% of it is shown",
    "a\n\n---\n\nshown: words\n\n---\n",
    "a <b>shown</b> c",
    "words <!-- unclosed shown",
    "a <? b, shown and <!x in the middle",
    "a ![](picture.png) shown",
    "1 <2 shown",
    "<a href='x'>shown</a>",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_what_is_hidden_is_blanked_out_and_counted(text: str) -> None:
    seen, counts = markdown.visible(text)

    assert "SECRET" not in seen and "shown" in seen
    assert sum(counts.values()) >= len("SECRET")
    assert seen.count("\n") == text.count("\n")
    assert may_hide("markdown", text), "read without the jail, it would be taken for what it is not"


@pytest.mark.parametrize("text", SHOWN)
def test_what_is_shown_stays(text: str) -> None:
    assert markdown.visible(text)[0].count("shown") == text.count("shown")


@given(st.text(alphabet="<>!-[]:#\"'()`~ \nabp/=", max_size=300))
def test_what_looks_harmless_hides_nothing_and_no_line_moves(text: str) -> None:
    seen, _ = markdown.visible(text)

    assert seen.count("\n") == text.count("\n")
    assert may_hide("markdown", text) or seen == text


def test_every_element_that_is_never_seen_is_looked_for() -> None:
    assert [tag for tag in UNSEEN if not may_hide("markdown", f"a <{tag}>b</{tag}>")] == []
