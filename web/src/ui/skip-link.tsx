import { t } from '../lib/strings.ts'

/** The first thing that Tab reaches: past the navigation to `<main id="main" tabIndex={-1}>`, or past a list in it to its `id="content"`. */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads within the page, and leaves the address as it is.
    <a
      className="skip-link"
      href="#main"
      onClick={event => {
        // The address stays as it is: it is that of the page.
        event.preventDefault()
        ;(document.getElementById('content') ?? document.getElementById('main'))?.focus()
      }}
    >
      {t('shared.skipToContent')}
    </a>
  )
}
