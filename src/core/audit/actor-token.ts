import { Nullable, OutputText } from '../../kit/schemas.ts'

export const ActorToken = {
  ...Nullable(OutputText('Nightly export')),
  description: 'The API token by which they acted; the name then ends with it: “Grace Hopper, by Nightly export”.'
}
