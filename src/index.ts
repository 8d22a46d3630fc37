// Values
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
export { Entity } from './schema/Entity.ts'
export { EntityMixin } from './schema/EntityMixin.ts'
/**
 * All schemas under one name; the same that are exported by their own.
 *
 * @example
 * const page = { results: new schema.Collection([Todo]), cursor: '' }
 */
export * as schema from './schema/index.ts'
export { All } from './schema/All.ts'
export { Collection } from './schema/Collection.ts'
export { Invalidate } from './schema/Invalidate.ts'
export { Lazy } from './schema/Lazy.ts'
export { Query } from './schema/Query.ts'
export { Union } from './schema/Union.ts'
export { Values } from './schema/Values.ts'
export { normalize } from './normalize/normalize.ts'
export { denormalize } from './view/denormalize.ts'
export { applyPatches } from './store/applyPatches.ts'
export { emptyState } from './store/State.ts'
export { exportState, importState } from './hydration/transfer.ts'
export { Endpoint } from './endpoint/Endpoint.ts'
export { RestEndpoint } from './rest/RestEndpoint.ts'
export { createResource, resource } from './rest/createResource.ts'
export { Controller } from './controller/Controller.ts'
export { createLive } from './controller/createLive.ts'
export { readKey, ReadRequests, readStatus } from './controller/ReadStatus.ts'
export { dehydrate, hydrate, hydrated } from './hydration/hydrate.ts'
export { renderState } from './hydration/renderState.ts'
export { createNetwork } from './network/network.ts'
export { subscribe } from './network/polling.ts'
export { createRefocus } from './network/refocus.ts'

// Types
export type { Clock } from './base/clock.ts'
export type { Platform } from './base/platform.ts'
export type { Meta, Stamp } from './base/stamp.ts'
export type { Fields, Schema } from './schema/interface.ts'
export type { CollectionOptions } from './schema/Collection.ts'
export type { CollectionFilter, NonFilterKeys } from './schema/filter.ts'
export type { Creation, Move } from './schema/Creation.ts'
export type { Mixed, MixinOptions } from './schema/EntityMixin.ts'
export type { Denormalize, QueryArgs, RecordOf, Stored } from './schema/types.ts'
export type { Normalized, NormalizeMeta } from './normalize/normalize.ts'
export type { Patch } from './store/immer.ts'
export type { Cause, Commit } from './order/Commit.ts'
export type { StampGroup } from './store/patches.ts'
export type { ControllerOptions, Read } from './controller/Controller.ts'
export type { Live, LiveOrigin, ResponseView, StoreReads } from './controller/createLive.ts'
export type { ReadError, ReadStatus } from './controller/ReadStatus.ts'
export type { Action, CallAction, FetchAction, Manager, ManagerHost, PollAction } from './network/Manager.ts'
export type { GcOptions } from './controller/garbage.ts'
export type { PollingHost } from './network/polling.ts'
export type { NetworkOptions, RetryOptions } from './network/network.ts'
export type { Source, Tracker } from './view/tracker.ts'
export type { State } from './store/State.ts'
export type { Dehydrated, ExportedRow, ExportedState } from './hydration/transfer.ts'
export type { FetchFunction } from './endpoint/Endpoint.ts'
export type { AnyEndpoint, EndpointOptions, Override, ReadEndpoint, Snap, Transport, UndoCall, UndoContext, ViewOf, WithResponse } from './endpoint/types.ts'
export type { Content } from './rest/http.ts'
export type { AnyBody, CreateOptions, ListPath, MoveOptions, PathArgs, Payload, RemoveOptions, RestArgs, RestOptions, RestResult } from './rest/types.ts'
export type { Extend, Resource } from './rest/Resource.ts'
export type { ResourceMembers, ResourceOptions } from './rest/createResource.ts'
