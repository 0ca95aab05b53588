/// The style of the page, for light and dark, from 320 pixels on.
enum PageStyle {
    static let text = """
        :root{color-scheme:light dark;--back:#fff;--text:#1b1b1f;--soft:#5a5a66;--line:#c9c9d1;--card:#f6f6f9;\
        --pass:#0b6b3a;--fail:#a8071a;--soon:#8a5a00;--link:#0b57d0}
        @media (prefers-color-scheme:dark){:root{--back:#131316;--text:#e6e6ea;--soft:#a9a9b5;--line:#44444f;\
        --card:#1d1d22;--pass:#6fdc9c;--fail:#ff9a9a;--soon:#f2c14e;--link:#9cc1ff}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--back);color:var(--text);\
        font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
        a{color:var(--link)}
        :focus-visible{outline:3px solid var(--link);outline-offset:2px}
        .skip{position:absolute;left:-100rem}.skip:focus{position:static}
        header{display:flex;flex-wrap:wrap;gap:0 1.5rem;align-items:baseline}
        nav a{margin-right:1rem}
        h1,h2,h3,h4{line-height:1.25;margin:.8em 0 .3em}
        h3{font-size:1.1rem;margin-top:0}h4{font-size:1rem}
        p{margin:.3em 0}
        article{background:var(--card);border:1px solid var(--line);border-left:.4rem solid var(--line);\
        border-radius:.3rem;padding:.8rem 1rem;margin:1rem 0}
        article.pass{border-left-color:var(--pass)}article.fail{border-left-color:var(--fail)}
        .module{color:var(--soft);font-weight:normal}
        .mark{font-weight:bold;color:var(--soft)}.mark.pass{color:var(--pass)}.mark.fail{color:var(--fail)}
        .fix{border-left:3px solid var(--soon);padding-left:.7rem}
        .wide{overflow-x:auto}
        table{border-collapse:collapse;width:100%;overflow-wrap:normal}
        td,th{padding:.25rem .8rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
        .chain{list-style:none;margin:0;padding:0}.chain li{margin:.5rem 0}
        .line{display:block;position:relative;height:.8rem;background:var(--line);border-radius:.2rem;margin:.2rem 0}
        .bar{position:absolute;top:0;bottom:0;background:var(--pass);border-radius:.2rem}.bar.soon{background:var(--soon)}
        .now{position:absolute;top:-.2rem;bottom:-.2rem;width:2px;background:var(--text)}
        summary{cursor:pointer;margin-top:.5rem}
        """
}
