export {
  AbortError,
  DepthError,
  HydrationError,
  MissingPkError,
  NetworkError,
  ParseError,
  PatchcordError,
  PatchError,
  PathError,
  ProviderError,
  ResetError,
  SchemaError,
  TimeoutError,
  ValidationError,
} from './base/errors.ts'
export { systemClock } from './base/clock.ts'
export type { Clock } from './base/clock.ts'
export { Controller } from './controller/Controller.ts'
