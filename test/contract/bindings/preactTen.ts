// node --import this.js … : whoever asks for preact gets preact 10, which is installed as `preact-10`.
import { register, type ResolveHook } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

export const resolve: ResolveHook = (specifier, context, next) => next(specifier.replace(/^preact(?=\/|$)/, 'preact-10'), context)
