/** Told what is being read, so that it is kept. */
export interface Use {
  /** What `schema` shows for these arguments. */
  query(schema: unknown, args: readonly unknown[]): void
  /** What an endpoint has answered, as `schema` shows it. */
  result(schema: unknown, endpointKey: string, args: readonly unknown[]): void
  /** A row, and what it shows: to `entity`, if that is known. */
  row(key: string, pk: string, entity?: unknown): void
  /** All rows of a table. */
  table(key: string): void
}
