import ts from 'typescript-5.9'

/**
 * What Solid's compiler does, for examples: elements are made by `element(tag, attributes, children)` and components by
 * `createComponent`; every expression is handed on as a function or a getter, so that it is read where it is followed.
 */
export function compileSolid(source: string): string {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve, verbatimModuleSyntax: true },
    fileName: 'example.tsx',
    transformers: { before: [transformer] },
  })
  return outputText
}

const transformer: ts.TransformerFactory<ts.SourceFile> = context => file => {
  const { factory } = context
  const visit = (node: ts.Node): ts.Node => {
    if (ts.isJsxElement(node)) return made(node.openingElement, node.children)
    if (ts.isJsxSelfClosingElement(node)) return made(node, [])
    return ts.visitEachChild(node, visit, context)
  }
  const lazy = (value: ts.Expression): ts.Expression => factory.createArrowFunction(undefined, undefined, [], undefined, undefined, factory.createParenthesizedExpression(value))
  const call = (name: string, args: ts.Expression[]): ts.Expression => factory.createCallExpression(factory.createIdentifier(name), undefined, args)
  const expression = (node: ts.JsxChild | ts.JsxAttributeValue | undefined): ts.Expression | undefined => {
    if (node === undefined) return factory.createTrue()
    if (ts.isStringLiteral(node)) return factory.createStringLiteral(node.text)
    if (ts.isJsxText(node)) return node.containsOnlyTriviaWhiteSpaces ? undefined : factory.createStringLiteral(node.text.replace(/\s*\n\s*/g, ''))
    if (ts.isJsxExpression(node)) return node.expression && (ts.visitNode(node.expression, visit) as ts.Expression)
    return visit(node) as ts.Expression
  }
  const made = ({ tagName, attributes }: ts.JsxOpeningLikeElement, inner: readonly ts.JsxChild[]): ts.Expression => {
    const isElement = ts.isIdentifier(tagName) && /^[a-z]/.test(tagName.text)
    const children = inner.map(expression).filter(each => each !== undefined)
    const given: [string, ts.Expression][] = attributes.properties
      .filter(ts.isJsxAttribute)
      .map(each => [each.name.getText(file), expression(each.initializer)!])
    if (isElement) {
      const members = given.map(([name, value]) => factory.createPropertyAssignment(name, name.startsWith('on') ? value : lazy(value)))
      return call('element', [factory.createStringLiteral(tagName.text), factory.createObjectLiteralExpression(members), factory.createArrayLiteralExpression(children.map(lazy))])
    }
    if (children.length > 0) given.push(['children', children.length === 1 ? children[0]! : factory.createArrayLiteralExpression(children)])
    const getters = given.map(([name, value]) =>
      factory.createGetAccessorDeclaration(undefined, name, [], undefined, factory.createBlock([factory.createReturnStatement(value)])),
    )
    const spread = attributes.properties.filter(ts.isJsxSpreadAttribute).map(each => ts.visitNode(each.expression, visit) as ts.Expression)
    const own = factory.createObjectLiteralExpression(getters)
    return call('createComponent', [ts.visitNode(tagName, visit) as ts.Expression, spread.length > 0 ? call('mergeProps', [...spread, own]) : own])
  }
  return ts.visitNode(file, visit) as ts.SourceFile
}
