declare module 'sanitize-html' {
  type Attributes = Record<string, string>

  interface Options {
    allowedTags: string[]
    allowedAttributes: Record<string, string[]>
    allowedSchemes: string[]
    allowedSchemesAppliedToAttributes: string[]
    allowProtocolRelative: boolean
    parseStyleAttributes: boolean
    disallowedTagsMode: 'discard'
    nonTextTags: string[]
    nestingLimit: number
    exclusiveFilter(frame: { tag: string; attribs: Attributes; text: string }): boolean | 'excludeTag'
    transformTags: Record<string, (tagName: string, attribs: Attributes) => { tagName: string; attribs: Attributes }>
  }

  export default function sanitizeHtml(html: string, options: Options): string
}
