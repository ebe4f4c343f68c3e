/** mime-types ships no declarations; these are the two functions used here. */
declare module 'mime-types' {
  const mimeTypes: {
    /** The MIME type of a bare extension. */
    lookup(extension: string): string | false
    /** The usual extension, without a dot, of a MIME type. */
    extension(type: string): string | false
  }
  export default mimeTypes
}
