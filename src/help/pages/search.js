// Finds while one types, where scripts run. The pages work without it.

const form = document.querySelector('form.search')
const [settledMilliseconds, fewestLetters] = [250, 3]
let [timer, latest] = [0, 0]

form.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(find, settledMilliseconds)
})

async function find() {
  const number = ++latest
  const search = form.elements.namedItem('search').value.trim()
  if (search.length < fewestLetters) return
  const address = `${form.action}?${new URLSearchParams({ search })}`
  const answer = await fetch(address).catch(() => undefined)
  // The button goes there too, and then the browser says what is wrong.
  if (!answer?.ok) return
  const found = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#found')
  // What was found for former words comes too late.
  if (number !== latest || !found) return
  document.querySelector('#found').replaceWith(found)
  history.replaceState(null, '', address)
}
