export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'deskline:theme'

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(storageKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Stores the theme in this browser; `theme.js` applies it before the first paint. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') {
    localStorage.removeItem(storageKey)
    delete dataset.theme
  } else {
    localStorage.setItem(storageKey, theme)
    dataset.theme = theme
  }
  colourFrame()
}

/** The browser's own toolbar follows the chosen theme, not the system's. */
function colourFrame(): void {
  const theme = chosenTheme()
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light'
    meta.content = (theme === 'system' ? own : theme) === 'dark' ? '#141312' : '#f6f5f2'
  }
}
