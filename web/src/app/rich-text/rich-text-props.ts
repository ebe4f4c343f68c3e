import type { ReactNode } from 'react'

/** A file of the message, which a formatted text may show as a picture. */
export interface PictureFile {
  id: number
  file_name: string
  file_path: string
}

export interface RichTextProps {
  /** The text as it was typed. */
  text: string
  /** What the server has made of it, if it is formatted. */
  html?: string | null | undefined
  files?: readonly PictureFile[]
  /** Renders a piece of text that is no link, for instance to mark mentions. */
  mark?: (piece: string) => ReactNode
}
