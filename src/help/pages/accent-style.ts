import { contrast, white } from '../../lib/contrast.ts'

/** The least favourable backgrounds for the contrast of the accent, as in the portal. */
const backgrounds = { light: '#f1efeb', dark: '#2a2825' }
const minTextContrast = 4.5

/** The tokens of the accent colour: unchanged as a fill, and as text darkened or lightened just enough to be legible. */
export function accentStyle(accent: string): string {
  const light = legible(accent, backgrounds.light, 0)
  const dark = legible(accent, backgrounds.dark, 255)
  const onAccent = contrast(accent, white) >= minTextContrast ? white : '#000000'
  return `:root{--accent:light-dark(${light},${dark});--accent-fill:${accent};--on-accent:${onAccent}}`
}

/** The colour, mixed with black (0) or white (255) until it has enough contrast on this background. */
function legible(color: string, ground: string, end: 0 | 255): string {
  const channels = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
  for (let step = 0; step < 20; step++) {
    const mixed = channels.map(channel => Math.round(channel + ((end - channel) * step) / 20))
    const found = `#${mixed.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
    if (contrast(found, ground) >= minTextContrast + 0.3) return found
  }
  return end === 255 ? white : '#000000'
}
