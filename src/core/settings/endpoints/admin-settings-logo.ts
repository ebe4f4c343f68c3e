import { Type } from 'typebox'
import { FileTooLarge, MissingFields, TooManyFiles } from '../../../kit/errors.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { endpoint } from '../../endpoint.ts'
import { LogoRefused, maxLogoBytes, setLogo } from '../logo.ts'

/** Sets or replaces the desk's logo. */
export const uploadLogo = endpoint({
  path: '/api/admin/settings/logo',
  summary: 'Set the logo of the desk: one PNG, JPEG or WebP image of at most 256 KB',
  access: 'admin',
  about: 'caller',
  files: { maxInMemoryBytes: maxLogoBytes },
  data: Type.Object({
    logo_url: OutputText('/branding/logo/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png')
  }),
  errors: [LogoRefused, FileTooLarge, TooManyFiles],
  async handle({ files: [file], actor, caller, services }) {
    if (!file) {
      throw MissingFields({ message: 'Missing required fields: logo (a file, in a multipart body)', errors: ['logo'] })
    }
    return { message: 'Logo set', data: { logo_url: await setLogo(services, actor, file.content, caller) } }
  }
})
