import { createElement, type SVGProps } from 'react'

interface IconData {
  name: string
  size?: number
  aliases?: string[]
  node: [tag: string, attributes: Record<string, string>][]
}

interface IconProps extends SVGProps<SVGSVGElement> {
  size?: number
}

/**
 * Icons of lucide as lucide-react draws them, without what the pages never ask for: a size for all below, strokes that are not scaled, other
 * colours than that of the text. What is in them is made once.
 */
export default function createLucideIcon({ name, size: box = 24, aliases = [], node }: IconData) {
  const drawing = node.map(([tag, attributes], key) => createElement(tag, { key, ...attributes }))
  const classes = ['lucide', ...[name, ...aliases].map(name => `lucide-${name}`)].join(' ')
  return function LucideIcon({ size = 24, className, ...props }: IconProps) {
    const isNamed = 'aria-label' in props || 'aria-hidden' in props || 'role' in props
    return createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: `0 0 ${box} ${box}`,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: className ? `${classes} ${className}` : classes,
        'aria-hidden': isNamed ? undefined : true,
        ...props
      },
      drawing
    )
  }
}
