"""The style sheet of the report page: one column on a phone, two pictures a row on a desktop."""

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #ffffff; --card: #f6f7f9; --text: #1b1f24; --soft: #5b6570; --line: #d7dce2;
  --muted: #a9b3be; --accent: #0969c3; --bad: #c62f2f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161b; --card: #1b2027; --text: #e4e8ec; --soft: #9aa5b1; --line: #343c46;
    --muted: #66717d; --accent: #4aa3f0; --bad: #f0685f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1140px; padding: 20px 16px 60px; background: var(--ground);
  color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 36px 0 10px; }
p { margin: 6px 0; }
.soft, figcaption { color: var(--soft); }
.bad {
  border: 2px solid var(--bad); border-radius: 10px; color: var(--bad); font-weight: 600;
  margin: 0 0 18px; padding: 6px 14px; overflow-wrap: anywhere;
}
.tiles { display: flex; flex-wrap: wrap; gap: 10px; margin: 18px 0; }
.tile { flex: 1 1 150px; background: var(--card); border-radius: 10px; padding: 10px 14px; }
.tile b { display: block; font-size: 1.6rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: .88rem; overflow-wrap: anywhere; }
.good b { color: var(--accent); }
.pictures { columns: 440px; column-gap: 14px; }
figure {
  margin: 0 0 14px; background: var(--card); border-radius: 10px; padding: 14px;
  break-inside: avoid;
}
figcaption { font-size: .9rem; margin-bottom: 8px; }
figcaption b { color: var(--text); display: block; }
figure svg {
  display: block; width: 100%; height: auto; max-width: 560px; margin: 0 auto;
  font-family: inherit;
}
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .94rem; }
th, td {
  padding: 4px 16px 4px 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: break-word;
}
th { font-weight: 600; color: var(--soft); white-space: nowrap; }
td.n, th.n { text-align: right; white-space: nowrap; }
tr.tuned td { font-weight: 700; }
summary { cursor: pointer; color: var(--accent); padding: 8px 0; }
ul { margin: 6px 0; padding-left: 20px; }
"""
