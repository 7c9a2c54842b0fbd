// Writes the files of the docs page, compressed, to the folder that is named as the only argument: the build of the stack
// runs this.
import { storeFiles } from '../functions/docs/served-files.ts'
import { docsFiles } from './files.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: store-files.ts FOLDER')
storeFiles(folder, docsFiles())
