// Tells of mistakes, among them what the page and the server do not agree about. It has to come first.
import 'preact/debug'
import './preactClient.ts'
