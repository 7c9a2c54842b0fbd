// Generated from shared/contract by npm run generate.
var n=t,i=t;function t(e,{instancePath:a="",parentData:p,parentDataProperty:c,rootData:l=e}={}){let r=null,o=0;if(!(e&&typeof e=="object"&&!Array.isArray(e))){let s={instancePath:a,schemaPath:"#/type",keyword:"type",params:{type:"object"}};r===null?r=[s]:r.push(s),o++}return t.errors=r,o===0}export{i as default,n as validate};
