/** Instead of `EventSource`, where no server sends anything: it stays open, and is silent. */
export class QuietEvents {
  close() {}
}
