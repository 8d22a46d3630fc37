/** The verbs of an application. */
export class Controller {}
