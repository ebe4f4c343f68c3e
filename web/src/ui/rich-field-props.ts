import type { AriaAttributes, KeyboardEvent, ReactNode, Ref } from 'react'

/** The files of the message, by the names that its text uses. */
export interface Pictures {
  fileOf(name: string): File | undefined
  /** Why the service would refuse it. */
  refusalOf(file: File): string | undefined
  /** Adds files to the message; returns the names that the text uses for them. */
  add(files: File[]): string[]
  /** Leaves a picture among the files when it goes out of the text. */
  keep(name: string): void
}

/** The pictures that went out of a text, and those that came into it. */
export interface PicturesMoved {
  gone: string[]
  back: string[]
}

/** A field for text, formatted or not: places are those of its Markdown. */
export interface TextFieldHandle {
  focus(): void
  selection(): [number, number]
  /** Inserts a text as if it were typed, so that Ctrl Z undoes it. */
  insert(text: string, from: number, to: number): void
}

export interface RichFieldProps {
  ref?: Ref<TextFieldHandle>
  /** Markdown. */
  value: string
  /** Where the caret stands first. */
  caret: [number, number]
  readOnly?: boolean
  placeholder?: string
  className?: string | undefined
  maxLength?: number
  areaProps: AriaAttributes & { id?: string; 'data-composer'?: string }
  /** Whether the bar stays: as a row above the text, or below it. Else it floats over what is selected. */
  bar?: 'above' | 'below' | undefined
  /** Stands at the end of the bar. */
  barEnd?: ReactNode
  /** The pictures of the text. Without it there are none. */
  pictures?: Pictures | undefined
  onChange(text: string, caret: [number, number], pictures?: PicturesMoved): void
  onMove?(caret: [number, number]): void
  /** Called before the field itself; what it prevents does not happen. */
  onKeyDown?(event: KeyboardEvent<HTMLElement>): void
  /** Files that are pasted and do not stand in the text. */
  onFiles?(files: File[]): void
}
