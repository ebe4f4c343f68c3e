import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Id, Nullable, OutputText } from '../../../kit/schemas.ts'
import { SsoProviderNotFound } from '../change-providers.ts'
import { TestFindings, TestStep } from '../schemas.ts'
import { attemptCookies } from '../sso-cookies.ts'
import { walkTest } from '../walk-test.ts'

/**
 * Tries a provider, turned on or not: asks who it is, for its keys, and answers the address of a real sign-in for a new window. With `test_id` it
 * answers what that sign-in has found: each claim, and what a sign-in would do. Nothing of it is saved.
 */
export const testSsoProvider = endpoint({
  path: '/api/admin/sso/test',
  aliases: ['/api/admin/sso/:id/test'],
  summary: 'Try an identity provider',
  access: 'admin',
  signedInOnly: true,
  answersSecrets: true,
  body: Type.Object({ id: Id(), test_id: Type.Optional(Id()) }),
  data: Type.Object({
    steps: Type.Array(TestStep),
    test_id: Nullable(Id()),
    url: Nullable(OutputText('https://login.nordlicht.example/auth?client_id=deskline')),
    findings: Type.Union([TestFindings, Type.Null()])
  }),
  errors: [SsoProviderNotFound, TooManyAttempts],
  async handle({ body, session, services, caller }) {
    const { cookie, ...data } = await walkTest(services, session, body, caller.ip)
    const begun = cookie !== undefined && data.url !== null ? { url: data.url, cookie } : undefined
    const cookies = begun ? attemptCookies(services.config, caller.cookies(), begun) : []
    return { message: 'The test', data, cookies }
  }
})
