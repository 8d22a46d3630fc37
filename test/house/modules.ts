import ts from 'typescript-5.9'
import { parse, sourceFiles } from './sources.ts'

/**
 * What a module may keep for as long as the process lives, though it changes. Whatever stands here is seen by every store
 * of the process, so each entry says why it cannot carry data from one to another.
 */
export const allowed: Readonly<Record<string, string>> = {
  'src/store/immer.ts instance': 'the one Immer of ours, made on first use; it keeps nothing between calls',
  'src/rest/origin.ts routes': 'templates taken apart, by their text; bounded, and the same for whoever asks',
  'src/schema/plan.ts plans': 'what is known of a class, by the class; of data it has names of fields, at most 64 a class, and no value',
  'src/schema/plan.ts owners': 'how many classes have functions of their own: chooses among equal functions, and only their speed differs',
  'src/schema/deserialize.ts made': 'dates and the like, by the class and then by the frozen record that they were made of: who has no such record finds none',
  'src/schema/deserialize.ts warned': 'deserializers, by themselves: a warning is given once',
  'src/view/listing.ts indexes': 'by a list of nodes of one graph, which no other graph has',
  'src/view/liveIndex.ts deaths': 'tells an index that one of its own values is gone; nothing can be read from it',
  'src/store/vector.ts editors': 'the number of the last editor: tells whose copy a page is, and nothing is found by it',
  'src/schema/entityView.ts NOTHING': 'asked whether every object inherits something; nobody writes to it',
  'bindings/preact/useMounted.ts turn': 'how many times something was rendered in this process: two renders are told apart by it, whosever they are',
  'bindings/preact/useMounted.ts turning': 'whether the next of them has been ordered',
}

/** Names at the top of modules, and static members of classes, that can change while the program runs, as `file name`. */
export function changeable(root: string): string[] {
  return sourceFiles(root)
    .flatMap(file => namesIn(parse(root, file)).map(name => `${file} ${name}`))
}

/** Those that nobody has allowed, and allowances for what is not there. */
export function isolationFaults(root: string): string[] {
  const found = changeable(root)
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

function isVerb(value: ts.Expression): boolean {
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isIdentifier(value)
}

function has(node: ts.PropertyDeclaration, kind: ts.SyntaxKind): boolean {
  return node.modifiers?.some(modifier => modifier.kind === kind) === true
}
