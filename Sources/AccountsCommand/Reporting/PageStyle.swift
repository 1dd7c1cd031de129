/// How the page looks: in light and dark, on a telephone and on paper.
enum PageStyle {
    /// The style sheet. Colours are pairs with a contrast of at least 4.5 to 1, and none says what words do not say, too.
    static let sheet: HTML = """
        :root {
          color-scheme: light dark;
          --page: #ffffff; --text: #1d2126; --quiet: #57606a; --line: #d5dae0; --soft: #f3f5f8;
          --accent: #0b5cad; --ended: #8a949e; --done: #1a6b35; --partly: #8a4b00; --failed: #b3261e;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #14171b; --text: #e5e8ec; --quiet: #a4adb8; --line: #363d46; --soft: #1e2329;
            --accent: #74b4f5; --ended: #7d8894; --done: #79cf92; --partly: #f0b35e; --failed: #ff9d92;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; padding: 2rem 1.25rem 3rem; max-width: 62rem;
          background: var(--page); color: var(--text);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
        }
        h1 { margin: 0 0 1rem; font-size: 1.9rem; line-height: 1.2; }
        h2 { margin: 2.75rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); font-size: 1.3rem; }
        h3 { margin: 1.75rem 0 .25rem; font-size: 1.05rem; }
        h3 span { font-weight: normal; }
        p { margin: .5rem 0; max-width: 46rem; }
        code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
        code { overflow-wrap: anywhere; }
        pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--soft); border-radius: .4rem; white-space: pre-wrap; }
        .option { background: var(--soft); padding: .1em .4em; border-radius: .3em; }
        small, caption, figcaption, footer { color: var(--quiet); font-size: .875rem; }
        footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); }
        .notice { padding: .6rem 1rem; border-left: .3rem solid; background: var(--soft); max-width: none; }
        .notice.done b { color: var(--done); } .notice.done { border-color: var(--done); }
        .notice.partly b { color: var(--partly); } .notice.partly { border-color: var(--partly); }
        .notice.failed b { color: var(--failed); } .notice.failed { border-color: var(--failed); }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: 1.25rem 0 0; }
        dt { color: var(--quiet); }
        dd { margin: 0; min-width: 0; }
        .sum { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; max-width: none; }
        .sum .part { flex: 1 1 8.5rem; display: flex; align-items: center; gap: .5rem; }
        .sum .term { flex: 1; align-self: stretch; padding: .5rem .8rem .6rem; background: var(--soft); border-radius: .4rem; }
        .sum .whole { background: none; border: 1px solid var(--line); }
        .sum b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
        .sum .none { color: var(--quiet); }
        .sum small { display: block; line-height: 1.3; }
        .sum .sign { color: var(--quiet); font-size: 1.2rem; }
        table { width: 100%; margin: .75rem 0; border-collapse: collapse; font-size: .9375rem; }
        caption { text-align: left; padding-bottom: .4rem; }
        th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
        thead th { color: var(--quiet); font-size: .875rem; vertical-align: bottom; }
        th:last-child, td:last-child { padding-right: 0; }
        tbody th { font-weight: normal; }
        tfoot th, tfoot td { font-weight: bold; border-bottom: none; }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        ul { margin: .4rem 0; padding-left: 1.25rem; }
        li { margin: .3rem 0; }
        .groups { list-style: none; padding-left: 0; }
        .groups > li { margin: .6rem 0; padding-left: 1rem; border-left: 2px solid var(--line); }
        .keep { display: inline-block; max-width: 100%; }
        .code { margin: .75rem 0; }
        .code h3 { display: inline; margin: 0 .5rem 0 0; }
        .code > summary { color: var(--text); }
        summary { cursor: pointer; color: var(--accent); padding: .25rem 0; }
        figure { margin: 1rem 0; }
        figcaption { margin-bottom: .5rem; }
        .chart { display: flex; }
        .chart svg { display: block; overflow: visible; }
        .chart .axis { flex: none; }
        .chart text { fill: var(--quiet); font-size: 12px; }
        .grid, .tick { stroke: var(--line); stroke-width: 1; }
        .later { fill: var(--accent); }
        .ended { fill: url(#hatching); stroke: var(--ended); stroke-width: 1; }
        .hatching-ground { fill: var(--page); } .hatching-line { fill: var(--ended); }
        line.now { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 4 3; }
        text.now { fill: var(--text); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        @media (max-width: 40rem) {
          body { padding: 1.25rem .9rem 2rem; }
          h1 { font-size: 1.5rem; }
          dl { grid-template-columns: 1fr; gap: 0; }
          dd { margin-bottom: .5rem; }
          .sum .part { flex-basis: 45%; }
          .sum .part:first-child { flex-basis: 100%; }
          .stacks, .stacks caption, .stacks tbody, .stacks tfoot { display: block; }
          .stacks thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          .stacks tr { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
          .stacks th, .stacks td { padding: 0; border: none; overflow-wrap: anywhere; }
          .stacks tr > th { flex: 1 0 100%; }
          .stacks td:not(.number) { flex: 1 0 100%; }
          .stacks td::before { content: attr(data-heading) " "; color: var(--quiet); font-size: .875rem; font-weight: normal; }
          .stacks td:empty { display: none; }
        }
        @media print {
          :root {
            color-scheme: light;
            --page: #ffffff; --text: #000000; --quiet: #444444; --line: #bbbbbb; --soft: #f3f3f3;
            --accent: #0b5cad; --ended: #777777; --done: #1a6b35; --partly: #8a4b00; --failed: #b3261e;
          }
          html { font-size: 10pt; }
          body { padding: 0; max-width: none; }
          h2, h3, figcaption, [open] > summary, .groups > li > p { break-after: avoid; }
          tr, figure, .groups > li > ul > li, .sum { break-inside: avoid; }
          tfoot { display: table-row-group; }
          svg, .notice, .sum .term, pre { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """
}
