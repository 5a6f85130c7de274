"""The report as one HTML page that needs nothing else: no script, no file, no network."""

from __future__ import annotations

from fettle.core.wording import counted, printable, printable_lines
from fettle.data.delivered_text import gain_text
from fettle.data.score import Score
from fettle.data.summary import Summary
from fettle.report import pictures
from fettle.report.contents import Report
from fettle.report.html import html_table, section, text_of
from fettle.report.page_tables import features, models, times
from fettle.report.style import STYLE
from fettle.report.training_facts import training_facts
from fettle.report.variant_map import variant_map

BANDS = (
    (1.0, "100 %"),
    (0.9, "90 to 100 %"),
    (0.8, "80 to 90 %"),
    (0.7, "70 to 80 %"),
    (0.0, "below 70 %"),
)


def page(report: Report) -> str:
    """`report` as an HTML document. Every name in it is escaped."""
    title = f"Fettle: {printable(report.result.function)}"
    sections = [
        _alarms(report),
        *_headlines(report),
        f'<p class="soft">{text_of(_subtitle(report))}</p>',
        _tiles(report),
        section("How near the best variant", _pictures(report), _scores(report)),
        _wrong(report.summary),
        _approximation(report),
        _objectives(report),
        models(report),
        features(report),
        times(report),
        _failures(report),
        section("Training", html_table((), training_facts(report), numbers=0)),
        section("Model", html_table((), _model_facts(report), numbers=0)),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text_of(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(part for part in sections if part)
        + "\n</body>\n</html>\n"
    )


def _approximation(report: Report) -> str:
    found = report.result.approximation
    if found is None:
        return ""
    lines = chr(10).join(found.lines())
    return section("Approximate variants", f"<pre>{text_of(printable_lines(lines))}</pre>")


def _objectives(report: Report) -> str:
    lines = report.result.objectives
    if not lines:
        return ""
    return section("Objectives", f"<pre>{text_of(printable_lines(chr(10).join(lines)))}</pre>")


def _headlines(report: Report) -> list[str]:
    first, *rest = report.headlines()
    return [f"<h1>{text_of(first)}</h1>", *(f"<p>{text_of(sentence)}</p>" for sentence in rest)]


def _subtitle(report: Report) -> str:
    result = report.result
    return (
        f"{counted(len(result.training.variants), 'variant')}, "
        f"{counted(len(result.training.features), 'feature')}, "
        f"{counted(len(result.training.inputs), 'training input')}; "
        f"{result.finished:%Y-%m-%d %H:%M}"
    )


def _alarms(report: Report) -> str:
    """The box on top."""
    paragraphs = "".join(f"<p>{text_of(line)}</p>" for line in report.alarms())
    return f'<div class="bad">{paragraphs}</div>' if paragraphs else ""


def _tiles(report: Report) -> str:
    summary, delivered = report.summary, report.result.delivered
    if summary is None:
        return ""
    fixed = report.best_fixed(summary)
    tiles = [
        (
            "good" if delivered is None else "",
            f"{summary.tuned.mean:.3f}",
            f"share of best, tuned, on {report.judged_on()}",
        ),
        ("", f"{fixed.mean:.3f}", f"the best fixed variant, {fixed.name}"),
        ("", f"{100 * summary.tuned.accuracy:.0f} %", "of the inputs got their best variant"),
        ("", f"{summary.tuned.worst:.3f}", "share of best on the worst input"),
    ]
    for calls, score in report.charged[:1]:
        label = f"share of best, {report.charge_label(calls)}"
        tiles.insert(1, ("", f"{score.mean:.3f}", label))
    if delivered is not None and delivered.gain is not None and delivered.deployed != "default":
        label = "over untuned, both run alternately"
        tiles.insert(0, ("good", f"{gain_text(delivered.gain)} x", label))
    cells = (
        f'<div class="tile {kind}"><b>{text_of(n)}</b><span>{text_of(label)}</span></div>'
        for kind, n, label in tiles
    )
    return f'<div class="tiles">{"".join(cells)}</div>'


def _pictures(report: Report) -> str:
    summary, result = report.summary, report.result
    drawn: list[tuple[str, str, str]] = []
    tuned = None if summary is None else summary.tuned
    if report.fixed:
        caption = "1 is the best variant on every input."
        drawn.append(
            ("Tuned, and each variant alone", caption, pictures.share_bars(tuned, report.fixed))
        )
    if summary is not None:
        drawn.append(("The whole distribution", _bands(summary), pictures.share_curve(summary)))
        chart = variant_map(report)
        if chart is not None:
            caption = "Each point is an input, coloured by its best variant."
            drawn.append(("Where each variant wins", caption, chart))
        caption = "Number of inputs. Red cells are wrong choices; the stronger, the more they cost."
        drawn.append(("Best and chosen", caption, pictures.confusion_map(summary)))
    if result.feature_curve is not None and result.feature_curve.points:
        caption = "Cheapest first; in brackets what all features so far cost a call."
        chart = pictures.feature_cost_curve(result.feature_curve)
        drawn.append(("What the features are worth", caption, chart))
    if result.learning_curve:
        caption = f"Incremental tuning, judged by {result.learning_judged_by}."
        drawn.append(("Learning", caption, pictures.learning_curve(result.learning_curve)))
    figures = (
        f"<figure><figcaption><b>{text_of(title)}</b>{text_of(caption)}</figcaption>{chart}</figure>"
        for title, caption, chart in drawn
    )
    return f'<div class="pictures">{"".join(figures)}</div>'


def _bands(summary: Summary) -> str:
    """How many inputs lie in each band of share of best, as figure 2.5 cuts them."""
    left = summary.shares.tolist()
    parts = []
    for floor, label in BANDS:
        inside = [share for share in left if share >= floor]
        left = [share for share in left if share < floor]
        if inside:
            parts.append(f"{len(inside)} at {label}" if floor else f"{len(inside)} {label}")
    return f"Inputs by share of best: {', '.join(parts)}."


def _scores(report: Report) -> str:
    def cells(score: Score, name: str) -> tuple[str, ...]:
        numbers = (score.mean, score.p5, score.worst)
        return (name, *(f"{n:.3f}" for n in numbers), f"{100 * score.accuracy:.0f} %")

    rows = []
    if report.summary is not None:
        rows.append(cells(report.summary.tuned, "tuned"))
        for calls, score in report.charged:
            rows.append(cells(score, f"tuned, {report.charge_label(calls)}"))
    marked = len(rows)
    rows += [cells(score, score.name) for score in report.fixed]
    head = ("", "mean", "5th percentile", "worst", "best on")
    table = html_table(head, rows, numbers=4, marked=marked)
    left_out = () if report.summary is None else report.summary.left_out
    if left_out:
        names = ", ".join(left_out[:20]) + (", ..." if len(left_out) > 20 else "")
        table += f"<p>Left out, as no variant works there: {len(left_out)} ({text_of(names)}).</p>"
    unfolded = " open" if len(rows) <= 14 else ""
    return f"<details{unfolded}><summary>As numbers</summary>{table}</details>"


def _wrong(summary: Summary | None) -> str:
    if summary is None:
        return ""
    if not summary.wrong:
        return section("Wrong choices", "<p>None: the best variant was chosen everywhere.</p>")
    rows = [(w.input, w.chosen, w.best, w.times()) for w in summary.wrong]
    head = ("input", "chosen", "best", "slower")
    first, rest = html_table(head, rows[:12], numbers=1), rows[12:]
    if rest:
        more = f"<summary>{len(rest)} more, at most {text_of(rest[0][3])} slower</summary>"
        first += f"<details>{more}{html_table(head, rest, numbers=1)}</details>"
    return section("Wrong choices", first)


def _failures(report: Report) -> str:
    rows = [(f.input, f.variant or "(all)", f.reason) for f in report.result.failures]
    return (
        section("Not measured", html_table(("input", "variant", "reason"), rows, numbers=0))
        if rows
        else ""
    )


def _model_facts(report: Report) -> list[tuple[str, str]]:
    model = report.result.model
    facts = [(name, value) for name, value in model.provenance.items()]
    guard = "none" if model.guard is None else f"{100 * model.guard:g} % of each input's range"
    return [("default variant", model.default), ("tolerance of the trained region", guard), *facts]
