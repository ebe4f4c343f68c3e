// What the pages of the frame do besides, where scripts run. They work without it.

const tell = word => {
  // It carries nothing that a stranger may not know.
  if (parent !== window) parent.postMessage({ deskline: word }, '*')
}

let identity

addEventListener('message', event => {
  if (event.source !== parent || event.data?.deskline !== 'identity') return
  const former = identity ?? ''
  identity = String(event.data.identity)
  const form = document.querySelector('form[data-write]')
  const shown = form?.elements.namedItem('identity')?.value ?? former
  if (!form || shown === identity) return
  // Nobody sends, or reads, what somebody else has typed.
  if (shown !== '') location.replace(form.action)
  else void again(form)
})
tell('ready')
addEventListener('keydown', event => event.key === 'Escape' && tell('close'))

/** The form anew, as what was typed and whom the site has named make it. What is in focus stays in focus. */
async function again(form) {
  const sent = new URLSearchParams([...new FormData(form), ['again', '1']])
  if (identity !== undefined) sent.set('identity', identity)
  await replace('main', await fetch(form.action, { method: 'POST', body: sent }), made => {
    // What was typed while the answer was on its way.
    for (const each of made.querySelectorAll('input:not([type=hidden], [type=checkbox]), textarea')) {
      const typed = form.elements.namedItem(each.name)
      if (typed) each.value = typed.value
    }
  })
}

let latest = 0

async function replace(selector, answer, fill) {
  const number = ++latest
  const found = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector(selector)
  if (number !== latest || !found) return
  fill?.(found)
  const focused = document.activeElement?.id
  document.querySelector(selector)?.replaceWith(found)
  if (focused) document.getElementById(focused)?.focus()
}

addEventListener('change', event => {
  if (event.target.matches('[data-again]')) void again(event.target.form)
})

let timer
addEventListener('input', ({ target }) => {
  if (!target.form?.matches('[data-search]')) return
  clearTimeout(timer)
  timer = setTimeout(async () => {
    if (target.value.trim().length === 1 || target.value.trim().length === 2) return
    const query = new URLSearchParams(new FormData(target.form))
    await replace('#found', await fetch(`${target.form.action}?${query}`))
  }, 250)
})

// Whoever sends twice sends once.
addEventListener('submit', event => {
  if (event.target.method !== 'post') return
  if (event.target.dataset.sent) event.preventDefault()
  event.target.dataset.sent = '1'
})
// A page that the browser kept would not let it be sent again.
addEventListener('pageshow', event => event.persisted && location.reload())
