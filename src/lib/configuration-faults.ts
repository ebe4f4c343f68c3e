/** All errors in the environment, one sentence each. */
export class ConfigurationFaults extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}
