module kubewright/real-cluster/images

go 1.26.0
