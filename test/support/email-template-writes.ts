import assert from 'node:assert/strict'
import type { Scene, Write } from './staff-writes.ts'

/** What admins do with the words of e-mails. Those are the desk's, and the audit log has them. */
export const emailTemplateWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/email-templates/update': async () => ({
    body: { name: 'two-factor-reset', language: 'en', subject: 'Off', text: 'New words' },
    refused: { name: 'two-factor-reset', language: 'en', subject: 'Off', text: '{{nobody.knows}}' }
  }),
  '/api/admin/email-templates/reset': async ({ desk, admin }) => {
    const which = { name: 'email-changed', language: 'de' }
    const changed = await desk.post('/api/admin/email-templates/update', admin, {
      ...which,
      subject: 'Neu',
      text: 'New words'
    })
    assert.equal(changed.status, 200)
    return { body: which, refused: { ...which, expected_version: 1 } }
  },
  '/api/admin/email-templates/test': async () => ({
    body: { name: 'invitation', language: 'de' },
    refused: { name: 'invitation', language: 'de', text: 'No link' }
  })
}
