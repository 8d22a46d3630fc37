import ts from 'typescript-5.9'
import { parse, sourceFiles, type Tree } from './sources.ts'

/**
 * What a module may keep for as long as the process lives, though it changes. Whatever stands here is seen by every store
 * of the process, so each entry says why it cannot carry data from one to another.
 */
const allowed: Readonly<Record<string, string>> = {
  'src/store/patches.ts sharedRows': 'rows that stand in patches, by themselves; frozen, so a store may take them as they are',
  'src/changes/trackChanges.ts positions': 'positions of writes, by the cell that was written; a cell belongs to one store',
  'src/store/immer.ts instance': 'the one Immer of ours, made on first use; it keeps nothing between calls',
  'src/store/Draft.ts drafts': 'the number of the last draft: tells whose copy a page is, and nothing is found by it',
  'src/store/State.ts NO_ROWS': 'the rows of a table that was never written; every draft copies it before it writes',
  'src/endpoint/Endpoint.ts adopted': 'bodies that the library parsed itself, by themselves, until a store takes them in',
  'src/rest/route.ts routes': 'templates taken apart, by their text; bounded, and the same for whoever asks',
  'src/schema/compile.ts compiled': 'the handler of a schema, by the schema; it has no data',
  'src/schema/Collection.ts firstOf': 'the first collection of a class, by the class, which all of them are shown by; it has no data',
  'src/schema/plan.ts plans': 'what is known of a class, by the class; what deserializers made is found only with the frozen record that it was made of',
  'src/schema/plan.ts defaults': 'an instance without props, by the class; frozen',
  'src/view/WeakCache.ts collected': 'tells a cache that one of its own values is gone; nothing can be read from it',
  'src/controller/InFlight.ts listenersOf': 'who waits for a signal of the caller, by the signal',
  'bindings/preact/reading.ts render': 'how many times something was rendered in this process: two renders are distinguished by it, whosever they are',
  'bindings/preact/reading.ts isRendering': 'whether the next of them has been ordered',
}

/** Names at the top of modules, and static members of classes, that can change while the program runs, as `file name`. */
function changeable(tree: Tree): string[] {
  return sourceFiles(tree).flatMap(file => namesIn(parse(tree, file)).map(name => `${file} ${name}`))
}

/** Those that nobody has allowed, and allowances for what is not there. */
export function isolationFaults(tree: Tree): string[] {
  const found = changeable(tree)
  return [
    ...found.filter(name => !Object.hasOwn(allowed, name)).map(name => `${name} can change, and every store of the process would see it; keep it in the store, or say in test/house/modules.ts why not.`),
    ...Object.keys(allowed).filter(name => !found.includes(name)).map(name => `${name} is allowed, and is not there.`),
  ]
}

function namesIn(source: ts.SourceFile): string[] {
  const names: string[] = []
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      const constant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0
      for (const { name, type, initializer } of statement.declarationList.declarations) {
        if (!constant || canChange(type, initializer)) names.push(name.getText())
      }
    }
    if (!ts.isClassDeclaration(statement)) continue
    for (const member of statement.members) {
      if (!ts.isPropertyDeclaration(member) || !has(member, ts.SyntaxKind.StaticKeyword) || has(member, ts.SyntaxKind.DeclareKeyword)) continue
      // A static that is only a default of subclasses is read through the class that overrides it; a container would be shared.
      if (canChange(member.type, member.initializer)) names.push(`${statement.name!.text}.${member.name.getText()}`)
    }
  }
  return names
}

/** Whether a value can be written to: it is a container, and its type does not say otherwise. */
function canChange(type: ts.TypeNode | undefined, value: ts.Expression | undefined): boolean {
  if (value === undefined || isReadonly(type)) return false
  if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value) || ts.isParenthesizedExpression(value)) {
    return !(ts.isAsExpression(value) && (value.type.getText() === 'const' || isReadonly(value.type))) && canChange(undefined, value.expression)
  }
  if (ts.isNewExpression(value)) return true
  if (ts.isCallExpression(value)) return /^Object\.(create|assign|fromEntries)$|^Array\.(from|of)$/.test(value.expression.getText())
  if (ts.isArrayLiteralExpression(value)) return true
  return ts.isObjectLiteralExpression(value) && !isTableOfFunctions(value)
}

/** A type that promises that nobody writes through this name. Vectors and tables of nothing are ours, and never change. */
function isReadonly(type: ts.TypeNode | undefined): boolean {
  return type !== undefined && /^(readonly |Readonly\w*<|\{\s*readonly |(Vector|Rows)<never>$)/.test(type.getText())
}

/** `{ a() {}, b: () => {}, c }`: verbs under one name. What is only named here stands elsewhere, and is judged there. */
function isTableOfFunctions({ properties }: ts.ObjectLiteralExpression): boolean {
  return properties.length > 0 && properties.every(each => ts.isMethodDeclaration(each) || ts.isShorthandPropertyAssignment(each) || (ts.isPropertyAssignment(each) && isVerb(each.initializer)))
}

const isVerb = (value: ts.Expression): boolean => ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isIdentifier(value)

const has = (node: ts.PropertyDeclaration, kind: ts.SyntaxKind): boolean => node.modifiers?.some(modifier => modifier.kind === kind) === true
