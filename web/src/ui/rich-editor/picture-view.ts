import type { Node } from 'prosemirror-model'
import type { NodeView } from 'prosemirror-view'
import { sizeText } from '../../lib/files.ts'
import { t } from '../../lib/strings.ts'
import type { Pictures } from '../rich-field-props.ts'

/** A picture in the text, with its name and size. A file that is refused says why in its place. */
export function pictureView(node: Node, { fileOf, refusalOf }: Pictures): NodeView {
  const { name, alt } = node.attrs as { name: string; alt: string }
  const file = fileOf(name)
  const refusal = file ? refusalOf(file) : t('format.pictureMissing')
  const dom = document.createElement('span')
  dom.className = 'rich-picture'
  dom.draggable = true
  let address = ''
  if (file && !refusal) {
    const image = document.createElement('img')
    address = URL.createObjectURL(file)
    image.src = address
    image.alt = alt || name
    dom.append(image)
  } else dom.classList.add('bad')
  const caption = document.createElement('span')
  caption.className = 'about'
  caption.textContent = [name, refusal ?? sizeText(file!.size)].join(', ')
  dom.append(caption)
  return {
    dom,
    destroy: () => URL.revokeObjectURL(address)
  }
}
