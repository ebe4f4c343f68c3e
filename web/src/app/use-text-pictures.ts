import { useRef } from 'react'
import type { FileLimits } from '../lib/files.ts'
import { pictureName, picturesNamed } from '../lib/text-pictures.ts'
import { refusalText } from '../ui/attachments.tsx'
import type { Pictures, PicturesMoved } from '../ui/rich-field-props.ts'

/** The files of a message, some of which its text shows as pictures. */
export function useTextPictures(text: string, files: File[], limits: FileLimits, onFiles: (files: File[]) => void) {
  // Undoing brings a picture back, and its file with it.
  const removed = useRef(new Map<string, File>())
  const kept = useRef(new Set<string>())
  const named = picturesNamed(text)

  const pictures: Pictures = {
    fileOf: name => files.find(file => file.name === name),
    refusalOf: file => refusalText(file, files.indexOf(file), limits),
    add(added) {
      const taken = new Set([...files.map(({ name }) => name), ...removed.current.keys()])
      const renamed = added.map(file => {
        const name = pictureName(file.name, taken)
        taken.add(name)
        return new File([file], name, { type: file.type, lastModified: file.lastModified })
      })
      onFiles([...files, ...renamed])
      return renamed.map(({ name }) => name)
    },
    keep: name => kept.current.add(name)
  }

  /** The files after pictures went out of the text or came back. */
  function filesAfter({ gone, back }: PicturesMoved): File[] {
    const leaving = gone.filter(name => !kept.current.delete(name))
    for (const file of files) if (leaving.includes(file.name)) removed.current.set(file.name, file)
    const staying = files.filter(({ name }) => !leaving.includes(name))
    const returning = back.flatMap(name =>
      staying.some(file => file.name === name) ? [] : (removed.current.get(name) ?? [])
    )
    return [...staying, ...returning]
  }

  return {
    pictures,
    filesAfter,
    /** The files that stand below the text. */
    below: files.filter(({ name }) => !named.has(name))
  }
}
