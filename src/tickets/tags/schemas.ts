import { Type } from 'typebox'
import { Name } from '../../kit/schemas.ts'

export const tagFields = {
  name: Name(50, 'urgent'),
  color: Type.String({
    pattern: '^#[0-9A-Fa-f]{6}$',
    minLength: 7,
    maxLength: 7,
    examples: ['#c0392b'],
    'x-trim': true,
    'x-invalid': 'color must be written like #c0392b'
  })
}
