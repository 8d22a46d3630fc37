/**
 * The entities of all suites, built on a contender's own `Entity` so that each gets the same classes.
 *
 * Each contender imports this file under a name of its own (`?patchcord`). V8 learns how to make instances for each
 * class in the source, not for each class that is made of it: contenders that shared it would all be four times slower.
 *
 * @param {any} Entity
 */
export function shapes(Entity) {
  class BuildType extends Entity {
    static key = 'BuildType'
    id = ''
    internalId = ''
    name = ''
    projectId = ''
    projectName = ''
    type = 'regular'
    paused = false
    href = ''
    webUrl = ''

    pk() {
      return this.id
    }
  }

  class Project extends Entity {
    static key = 'Project'
    static schema = { buildTypes: { buildType: [BuildType] } }
    id = ''
    internalId = ''
    uuid = ''
    name = ''
    parentProjectId = null
    position = 0
    archived = false
    href = ''
    webUrl = ''
    description = ''
    parameters = { count: 0, property: [] }
    buildTypes = { count: 0, buildType: [] }

    pk() {
      return this.id
    }
  }

  class Item extends Entity {
    static key = 'Item'
    id = ''
    title = ''
    done = false
    rank = 0
    owner = ''

    pk() {
      return this.id
    }
  }

  /** The same with a number for an id: its primary key is a string that the data does not have. */
  class NumberedItem extends Item {
    static key = 'NumberedItem'
    id = 0

    pk() {
      return `${this.id}`
    }
  }

  class Owner extends Entity {
    static key = 'Owner'
    id = ''
    name = ''

    pk() {
      return this.id
    }
  }

  class OwnedItem extends Item {
    static key = 'OwnedItem'
    static schema = { owner: Owner }
  }

  /** Writers list their articles, which show their writers. */
  class Writer extends Owner {
    static key = 'Writer'
    articles = []
  }

  class Article extends Entity {
    static key = 'Article'
    static schema = { writer: Writer }
    id = ''
    title = ''
    writer = undefined

    pk() {
      return this.id
    }
  }
  Writer.schema = { articles: [Article] }

  /** The same, and the writer does not know. */
  class PlainArticle extends Article {
    static key = 'PlainArticle'
    static schema = { writer: Owner }
  }

  return { Article, BuildType, Item, NumberedItem, OwnedItem, Owner, PlainArticle, Project }
}
