import type { ListPath, PathArgs } from '../../src/index.ts'
import type { Equal, Expect } from './expect.ts'

type Id = string | number

export type Paths = [
  // a parameter is a string or a number
  Expect<Equal<PathArgs<'/user/:id'>, { id: Id }>>,
  Expect<Equal<PathArgs<'/groups/:group/users/:id'>, { group: Id; id: Id }>>,
  // optional parts are optional
  Expect<Equal<PathArgs<'/user/:id?'>, { id?: Id | undefined }>>,
  Expect<Equal<PathArgs<'/groups/:group/users/:id?'>, { group: Id; id?: Id | undefined }>>,
  Expect<Equal<PathArgs<'/users{/:id}'>, { id?: Id | undefined }>>,
  Expect<Equal<PathArgs<'/a{/:b{/:c}}/:d'>, { d: Id; b?: Id | undefined; c?: Id | undefined }>>,
  // a wildcard is a list of segments
  Expect<Equal<PathArgs<'/files/*path'>, { path: string[] }>>,
  Expect<Equal<PathArgs<'/files{/*path}'>, { path?: string[] | undefined }>>,
  // no parameters, no arguments
  Expect<Equal<PathArgs<'/users'>, {}>>,
  // a protocol and a port are no parameters
  Expect<Equal<PathArgs<'https://api.example.com:8080/users/:id'>, { id: Id }>>,
  Expect<Equal<PathArgs<'http://localhost:3000/users'>, {}>>,
  // names end where they end
  Expect<Equal<PathArgs<'/:from-:to'>, { from: Id; to: Id }>>,
  Expect<Equal<PathArgs<'/:file.json'>, { file: Id }>>,
  Expect<Equal<PathArgs<'/:_a1/:B_2'>, { _a1: Id; B_2: Id }>>,
  // an escaped colon is text
  Expect<Equal<PathArgs<'/docs\\:batch/:id'>, { id: Id }>>,
  // a template that is only known at run time takes anything
  Expect<Equal<PathArgs<string>, { [name: string]: unknown }>>,
  // thirty segments are no trouble
  Expect<Equal<keyof PathArgs<'/:a/:b/:c/:d/:e/:f/:g/:h/:i/:j/:k/:l/:m/:n/:o/:p/:q/:r/:s/:t/some/more/text/that/goes/on/and/on/for/a/long/while/:u'>, 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u'>>,
]

export type Lists = [
  Expect<Equal<ListPath<'/users/:id'>, '/users'>>,
  Expect<Equal<ListPath<'/a/:b/c/:d'>, '/a/:b/c'>>,
  Expect<Equal<ListPath<'/users/:id?'>, '/users'>>,
  Expect<Equal<ListPath<'/users{/:id}'>, '/users'>>,
  Expect<Equal<ListPath<'/users/:id/profile'>, '/users'>>,
  Expect<Equal<ListPath<'/:id'>, '/'>>,
  Expect<Equal<ListPath<'/:a/:b'>, '/:a'>>,
  Expect<Equal<ListPath<'http://localhost:3000/users/:id'>, 'http://localhost:3000/users'>>,
  Expect<Equal<ListPath<string>, string>>,
]
