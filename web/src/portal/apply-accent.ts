/** The least favourable backgrounds for the contrast of the accent: the darkest light one and the lightest dark one. */
const backgrounds = { light: '#f1efeb', dark: '#2a2825' }
const minTextContrast = 4.5

/** Applies the accent colour of the desk: unchanged as a fill, and as text darkened or lightened just enough to be legible. */
export function applyAccent(accent: string): void {
  const { style } = document.documentElement
  const light = legible(accent, backgrounds.light, -1)
  const dark = legible(accent, backgrounds.dark, 1)
  const isOnWhite = contrast(accent, '#ffffff') >= minTextContrast
  const [onAccent, away] = isOnWhite ? ['#ffffff', 'black'] : ['#000000', 'white']
  const tokens = {
    '--accent': `light-dark(${light}, ${dark})`,
    '--accent-fill': accent,
    '--accent-fill-hover': `color-mix(in srgb, ${accent} 88%, ${away})`,
    '--on-accent': onAccent,
    '--accent-soft': `light-dark(color-mix(in srgb, ${light} 8%, white), color-mix(in srgb, ${dark} 12%, #1b1a18))`,
    '--accent-line': `light-dark(color-mix(in srgb, ${light} 32%, white), color-mix(in srgb, ${dark} 32%, #1b1a18))`
  }
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, value)
}

/** The colour, darkened or lightened until it has enough contrast on this background. */
function legible(color: string, ground: string, direction: 1 | -1): string {
  const [r, g, b] = channels(color)
  const end = direction === 1 ? 255 : 0
  for (let step = 0; step < 20; step++) {
    const mixed = [r!, g!, b!].map(channel => Math.round(channel + ((end - channel) * step) / 20))
    const found = `#${mixed.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
    if (contrast(found, ground) >= minTextContrast + 0.3) return found
  }
  return direction === 1 ? '#ffffff' : '#000000'
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter! + 0.05) / (darker! + 0.05)
}

function luminance(color: string): number {
  const [r, g, b] = channels(color).map(channel => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function channels(color: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
}
