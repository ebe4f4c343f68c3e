/** The contrast of a colour (`#rrggbb`) on white, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOnWhite(color: string): number {
  return 1.05 / (luminance(color) + 0.05)
}

/** White or black: whichever can be read on the colour. */
export function textColorOn(color: string): string {
  return contrastOnWhite(color) >= 4.5 ? '#fff' : '#000'
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255)) as [
    number,
    number,
    number
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
