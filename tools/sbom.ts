// npm run sbom: prints the bill of materials of what is deployed.
import { billOfMaterials } from './generate/bill-of-materials.ts'
import { packagesInUse } from './generate/shipped-packages.ts'

console.log(JSON.stringify(billOfMaterials(await packagesInUse()), null, 2))
