// The script that sites embed. It sets no cookie, stores nothing, and puts one button and one frame into the page. Styles are set through the
// object model, which a strict Content-Security-Policy of the page allows; all else happens in the frame.
// biome-ignore lint/correctness/noUnusedVariables: the service appends the call with the desk's own values.
function widget(desk) {
  const script = document.currentScript ?? document.querySelector('script[src$="/widget.js"]')
  if (!script || globalThis.Deskline) return
  const { origin } = new URL(script.src)
  const { deptid } = script.dataset
  let { identity } = script.dataset
  const locale = languageFor(script.dataset.locale ?? document.documentElement.lang)
  const words = desk.words[locale.split('-')[0]] ?? desk.words.en

  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet()]
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = words.help
  button.setAttribute('aria-expanded', 'false')
  root.append(button)
  let frame

  function open() {
    if (!frame) {
      frame = document.createElement('iframe')
      frame.title = words.help
      const query = deptid ? `?${new URLSearchParams({ deptid })}` : ''
      frame.src = `${origin}/widget/${encodeURIComponent(locale)}${query}`
      root.prepend(frame)
    }
    show(true)
    frame.focus()
  }

  function close() {
    if (!frame || frame.hidden) return
    show(false)
    button.focus()
  }

  function show(isOpen) {
    frame.hidden = !isOpen
    button.textContent = isOpen ? words.close : words.help
    button.setAttribute('aria-expanded', String(isOpen))
  }

  function tellIdentity() {
    // To our own origin alone: whatever else the frame may come to show does not get it.
    frame?.contentWindow.postMessage({ deskline: 'identity', identity: identity ?? '' }, origin)
  }

  button.addEventListener('click', () => (frame && !frame.hidden ? close() : open()))
  root.addEventListener('keydown', event => event.key === 'Escape' && close())
  addEventListener('message', event => {
    if (event.origin !== origin || event.source !== frame?.contentWindow) return
    if (event.data?.deskline === 'ready') tellIdentity()
    if (event.data?.deskline === 'close') close()
  })
  globalThis.Deskline = {
    open,
    close,
    /** For sites where somebody signs in, or out (null), without loading the page anew. */
    identify(given) {
      identity = given
      tellIdentity()
    }
  }
  if (document.body) document.body.append(host)
  else addEventListener('DOMContentLoaded', () => document.body.append(host))

  function languageFor(asked) {
    const [wanted] = String(asked ?? '').split(/[-_]/)
    return (
      desk.languages.find(each => each === asked) ??
      desk.languages.find(each => each.split('-')[0] === wanted.toLowerCase()) ??
      desk.language
    )
  }

  function sheet() {
    const made = new CSSStyleSheet()
    made.replaceSync(`
      :host { all: initial; }
      button, iframe { position: fixed; inset-inline-end: 20px; z-index: 2147483000; box-sizing: border-box; }
      button { inset-block-end: 20px; min-height: 44px; padding: 0 20px; border: 0; border-radius: 22px; cursor: pointer;
        font: 600 15px/20px system-ui, sans-serif; color: ${desk.onFill}; background: ${desk.fill};
        box-shadow: 0 1px 2px #0003, 0 4px 16px #0003; }
      button:focus-visible { outline: 3px solid ${desk.fill}; outline-offset: 3px; }
      iframe { inset-block-end: 76px; width: 400px; height: min(620px, calc(100dvh - 96px)); border: 1px solid #8885;
        border-radius: 12px; background: Canvas; box-shadow: 0 8px 40px #0004; }
      iframe[hidden] { display: none; }
      @media (max-width: 480px) { iframe { inset-inline: 8px; width: calc(100vw - 16px); height: calc(100dvh - 88px); } }
      @media print { button, iframe { display: none; } }
    `)
    return made
  }
}
