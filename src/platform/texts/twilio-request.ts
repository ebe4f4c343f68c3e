/** A request to Twilio's Messages resource. `to` is in E.164; a sender `MG…` is a messaging service. */
export function twilioRequest(
  { to, text }: { to: string; text: string },
  { account, token, sender }: { account: string; token: string; sender: string }
): { headers: Record<string, string>; body: string } {
  const isService = /^MG[0-9a-f]{32}$/.test(sender)
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
    },
    body: new URLSearchParams({ To: to, [isService ? 'MessagingServiceSid' : 'From']: sender, Body: text }).toString()
  }
}
