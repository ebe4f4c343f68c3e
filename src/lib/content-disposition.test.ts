import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachmentDisposition } from './content-disposition.ts'

test('a plain name is given in both forms', () => {
  assert.equal(attachmentDisposition('a b.txt'), `attachment; filename="a b.txt"; filename*=UTF-8''a%20b.txt`)
})

test('a name that is not ASCII is whole in the long form, and replaced character for character in the short one', () => {
  assert.equal(
    attachmentDisposition('Größe 😀.pdf'),
    `attachment; filename="Gr__e _.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%F0%9F%98%80.pdf`
  )
})

test('no name ends its quotes, the parameter or the header', () => {
  assert.equal(
    attachmentDisposition(`a"; x=\\'%41(*)\r\n.txt`),
    `attachment; filename="a_; x=_'_41(*)__.txt"; filename*=UTF-8''a%22%3B%20x%3D%5C%27%2541%28%2A%29%0D%0A.txt`
  )
})
