declare module 'html-to-text' {
  export interface Element {
    attribs: Record<string, string>
    children: Element[]
  }

  export interface Builder {
    openBlock(options: { leadingLineBreaks?: number }): void
    closeBlock(options: { trailingLineBreaks?: number; blockTransform?: (block: string) => string }): void
    addInline(text: string, options?: { noWordTransform?: boolean }): void
  }

  export type FormatCallback = (
    element: Element,
    walk: (children: Element[], builder: Builder) => void,
    builder: Builder
  ) => void

  export interface Options {
    wordwrap: false
    preserveNewlines: boolean
    formatters: Record<string, FormatCallback>
    selectors: { selector: string; format: string; options?: Record<string, unknown> }[]
    limits: { maxInputLength: number; maxDepth: number }
  }

  export function compile(options: Options): (html: string) => string
}
