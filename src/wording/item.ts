/** A line of a list, which may lead somewhere. */
export type Item = string | { label: string; link: string }
