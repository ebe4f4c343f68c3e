/** To the owner of an account to which somebody has signed in on a new device. */
export const newDeviceTemplate = {
  group: 'account',
  description: 'To the owner of an account to which somebody has signed in on a new device, clients and staff',
  placeholders: {
    'device.browser': { kind: 'text', description: 'The browser, if it is one that we know' },
    'device.system': { kind: 'text', description: 'The system of the device' },
    'device.network': { kind: 'text', description: 'The network, without the last part of the address' },
    'end.link': { kind: 'link', description: 'The link that ends the session', isRequired: true, isSecret: true },
    'end.valid_for': { kind: 'duration', description: 'How long the link works' }
  },
  conditions: { known_program: 'Browser and system are ones that we know' }
} as const
