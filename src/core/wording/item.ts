/** An item of a list, which may be a link. */
export type Item = string | { label: string; link: string }
