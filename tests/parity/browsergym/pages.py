"""Pages for what BrowserGym's contract is about, each with what its cases need and no more."""

from __future__ import annotations

CHECKBOX = """<!doctype html><title>Garden</title><h1>What grows here?</h1>
<input type=checkbox id=mint><label for=mint>Mint</label><br>
<input type=checkbox id=sage><label for=sage>Sage</label><br>
<input type=checkbox id=dill><label for=dill>Dill</label>"""

HOVER = """<!doctype html><title>Bell</title><p>Come near the bell.</p>
<input type=button id=bell value="Quiet" onmouseover="value = 'Ringing'" onmouseout="value = 'Quiet'">"""

NAMES = """<!doctype html><title>Names</title><h1>Who are you?</h1>
<label for=given>Given name</label> <input type=text id=given><br>
<label for=family>Family name</label> <input type=text id=family>"""

ADDRESS = (
    """<!doctype html><title>Address</title><h1>Where?</h1><label>Site <input type=url id=site></label>"""
)

LONG = """<!doctype html><title>Tower</title><label><input type=checkbox id=roof> Roof</label>
<div style="height: 2400px">Floors</div><label><input type=checkbox id=cellar> Cellar</label>"""

COVERED = """<!doctype html><title>Covered</title><style>
p { position: relative; height: 30px } p label { position: absolute; inset: 0; background: #ffffff80 }
</style><form><p><input type=checkbox id=reading checked><label for=reading>Reading</label></p>
<p><input type=checkbox id=rowing><label for=rowing>Rowing</label></p></form>"""

SHIELDED = """<!doctype html><title>Shielded</title><button id=under onclick="document.title = 'pressed'">
Under</button><div style="position: fixed; inset: 0; background: #eee">In front of everything</div>"""

FORM = """<!doctype html><title>Small form</title><h1>Small form</h1>
<form onsubmit="document.querySelector('output').textContent = 'sent'; return false">
<label for=name>Name:</label> <input type=text id=name name=name aria-description="A short one"
 aria-roledescription="line"><br>
<label for=email>Email:</label> <input type=email id=email name=email><br>
<label for=age>Age:</label> <input type=number id=age name=age><br>
<label for=message>Message:</label> <textarea id=message name=message></textarea><br>
<input type=checkbox id=letter name=letter><label for=letter>Send me the letter</label><br>
<input type=submit value=Send> <input type=reset value=Empty> <output></output></form>
<garden-gnome>Words in a tag of no standard</garden-gnome>
<div style="height: 1500px"></div><p id=below>Words far below</p>"""

INNERMOST = """<!doctype html><title>Innermost</title><p>Innermost</p>
<label><input type=checkbox id=inner checked> Inner box</label><div style="height: 600px"></div>"""

MIDDLE = """<!doctype html><title>Middle</title><p>Middle</p>
<input type=text id=word placeholder="A word in the frame">
<button id=down onclick="window.scrollTo(0, 60)">Down</button><div style="height: 200px"></div>
<iframe src="INNERMOST" width=320 height=160></iframe><div style="height: 400px"></div>"""

OUTER = """<!doctype html><title>Outer</title><h1>Outer</h1>
<label><input type=checkbox id=outer> Outer box</label><br>
<iframe src="MIDDLE" width=420 height=480></iframe>"""

SHADOW = """<!doctype html><title>Shadows</title><h1>Shadows</h1>
<nest-box id=one></nest-box><script>
customElements.define('nest-box', class extends HTMLElement {
  connectedCallback() {
    const depth = Number(this.dataset.depth ?? 0), root = this.attachShadow({mode: 'open'});
    root.innerHTML = `<p>Level ${depth}</p><input type=text name="level${depth}" placeholder="Text ${depth}"
      aria-description="hidden words" aria-roledescription="hidden role">`;
    if (depth < 2) {
      const inner = document.createElement('nest-box');
      inner.dataset.depth = depth + 1;
      root.append(inner);
    }
  }
});
</script>"""

DOUBLE = """<!doctype html><title>Twice</title><button id=twice ondblclick="this.textContent = 'Opened'">
Closed</button>"""


def many_frames(count: int) -> str:
    """A page of so many frames, with a box in each."""
    frames = (
        f"<iframe width=90 height=40 srcdoc='<input type=checkbox id=box{number}>'></iframe>"
        for number in range(count)
    )
    return f"<!doctype html><title>Many</title>{''.join(frames)}"
