extension ConformancePage {
    /// Quiet if all is well; each colour has a mark beside it, for colour-blind readers.
    static let style = """
        :root { --paper: #fff; --ink: #1c2024; --quiet: #687076; --line: #e3e6e8; --raised: #f6f7f8; --accent: #0b5cad;
          --good: #2b6a3f; --known: #8a5a00; --known-paper: #fdf3dc; --bad: #b3261e; --bad-paper: #fce8e6; }
        @media (prefers-color-scheme: dark) { :root { --paper: #16181a; --ink: #e6e8ea; --quiet: #9aa3aa; --line: #2c3135;
          --raised: #1e2225; --accent: #7db8f5; --good: #7fc796; --known: #e8b95b; --known-paper: #3a2f16;
          --bad: #ff9d94; --bad-paper: #45201d; } }
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body { display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
          font: 14px/1.45 system-ui, sans-serif; }
        code, pre, td, dd.hash { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; }
        header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 12px 20px;
          border-bottom: 1px solid var(--line); }
        h1 { font-size: 17px; font-weight: 600; margin: 0; }
        .state { font-size: 12px; font-weight: 500; padding: 2px 8px; margin-left: 6px; border-radius: 10px;
          background: var(--raised); color: var(--good); }
        .state.broken { background: var(--bad-paper); color: var(--bad); }
        nav { display: flex; gap: 4px; }
        button, input, select { font: inherit; color: inherit; }
        nav button { border: 0; background: none; padding: 4px 10px; border-radius: 6px; cursor: pointer; }
        nav button span { color: var(--quiet); }
        nav button[aria-selected=true] { background: var(--raised); font-weight: 600; }
        form { display: flex; gap: 8px; flex: 1; min-width: 300px; align-items: center; }
        input, select { padding: 5px 9px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
        input { flex: 1; max-width: 420px; }
        output { color: var(--quiet); }
        main { flex: 1; display: flex; min-height: 0; }
        section { flex: 1; overflow: auto; min-width: 0; }
        table { border-collapse: separate; border-spacing: 0; }
        thead th { position: sticky; top: 0; z-index: 2; background: var(--paper); padding: 10px; text-align: left;
          vertical-align: bottom; border-bottom: 1px solid var(--line); min-width: 96px; }
        th small { display: block; font-weight: 400; color: var(--quiet); font-size: 11.5px; }
        th small b { color: var(--bad); }
        th:first-child { position: sticky; left: 0; background: var(--paper); text-align: left; padding: 6px 16px 6px 20px;
          width: 400px; min-width: 320px; max-width: 400px; border-right: 1px solid var(--line); }
        thead th:first-child { z-index: 3; }
        tbody th { z-index: 1; font-weight: 400; }
        tbody th, td { border-bottom: 1px solid var(--line); vertical-align: top; }
        tbody th i { font-style: normal; opacity: .75; padding-left: 4px; }
        td { padding: 0; height: 1px; }
        td button { display: block; width: 100%; height: 100%; min-height: 40px; padding: 6px 10px; border: 0;
          background: none; text-align: left; white-space: nowrap; cursor: pointer; }
        td .known { background: var(--known-paper); color: var(--known); }
        td .broken { background: var(--bad-paper); color: var(--bad); font-weight: 700; }
        td .unsupported { color: var(--quiet); }
        td.unasked { background: repeating-linear-gradient(135deg, transparent 0 5px, var(--raised) 5px 6px); }
        td button:hover { outline: 1px solid var(--accent); outline-offset: -1px; }
        :focus-visible, td button[aria-expanded=true] { outline: 2px solid var(--accent); outline-offset: -2px; }
        aside { width: min(620px, 55vw); overflow: auto; border-left: 1px solid var(--line); padding: 16px 20px;
          background: var(--raised); }
        aside h2 { font-size: 15px; margin: 0 28px 4px 0; overflow-wrap: anywhere; }
        aside h3 { font-size: 12px; font-weight: 600; color: var(--quiet); margin: 18px 0 6px; }
        aside p { margin: 4px 0; overflow-wrap: anywhere; }
        aside .close { float: right; border: 0; background: none; font-size: 18px; line-height: 1; cursor: pointer; }
        .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0 20px; }
        dl { margin: 0; }
        dt { color: var(--quiet); font-size: 12px; margin-top: 6px; }
        dd { margin: 0; overflow-wrap: anywhere; }
        dl.wide { display: grid; grid-template-columns: 150px 1fr; gap: 2px 12px; }
        dl.wide dt { margin: 0; }
        .fail { color: var(--bad); }
        .why { color: var(--known); }
        .peers { display: flex; flex-wrap: wrap; gap: 6px; }
        .peers button { border: 1px solid var(--line); border-radius: 6px; background: var(--paper); padding: 3px 8px;
          cursor: pointer; font-size: 12px; }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--paper); border: 1px solid var(--line);
          border-radius: 6px; padding: 10px; }
        [hidden] { display: none !important; }
        @media (max-width: 800px) { aside { position: fixed; inset: 0; width: 100%; z-index: 9; border: 0; } }
        @media print { html, body { height: auto; } section { overflow: visible; } form, nav, aside { display: none; } }
        """
}
