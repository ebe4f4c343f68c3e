import { Send } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useMe } from '../../../app/me.ts'
import { t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type EmailTemplate, templateFailureText } from './template-texts.ts'

/** Sends an e-mail with example values to whoever presses it; without words of its own with those that are stored. */
export function SendTest(tried: Pick<EmailTemplate, 'name' | 'language'> & { subject?: string; text?: string }) {
  const me = useMe()
  const [isTesting, setTesting] = useState(false)
  async function test() {
    setTesting(true)
    try {
      await post('/api/admin/email-templates/test', tried)
      toast({ text: t('admin.template.testSent', { email: me.email }) })
    } catch (error) {
      toast({ text: templateFailureText(error), tone: 'bad' })
    } finally {
      setTesting(false)
    }
  }
  return (
    <Button icon={Send} busy={isTesting} onClick={() => void test()}>
      {t('admin.template.sendTest')}
    </Button>
  )
}
